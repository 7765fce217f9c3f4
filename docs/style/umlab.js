/* umlab.js: the site's buttons: pages (on a phone), theme, search, copy, contents. Nothing is loaded from elsewhere,
 * and all of it works from file://: the index of the search is a script (search.js, made by docs/site/finish.py) that
 * is loaded when somebody is about to search.
 */
"use strict";
(function () {
    const here = location.pathname.split("/").pop() || "index.html";
    const root = document.documentElement;
    const pages = document.getElementById("pages");
    const menu = document.getElementById("menu");
    const field = document.getElementById("MSearchField");
    const results = document.getElementById("MSearchResults");

    /* ---- Where am I? ---- */
    let section = null;
    for (const link of pages.querySelectorAll("a"))
        if (link.getAttribute("href") === here) {
            link.setAttribute("aria-current", "page");
            section = link.closest("details");
        }
    /* Pages that are not in the list are those of headers and structures. */
    if (!section) section = pages.querySelector('details[data-section="Reference"]');
    if (section) {
        section.open = true;
        for (const link of document.querySelectorAll(".sections a"))
            link.classList.toggle("here", link.dataset.section === section.dataset.section);
        const link = section.querySelector("[aria-current]");
        if (link && link.offsetTop > pages.clientHeight - 80) pages.scrollTop = link.offsetTop - 120;
    }
    menu.addEventListener("click", () => {
        menu.setAttribute("aria-expanded", String(pages.classList.toggle("open")));
    });

    /* ---- Light or dark ---- */
    document.getElementById("theme").addEventListener("click", () => {
        const dark = root.dataset.theme ? root.dataset.theme === "dark"
                                        : matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.theme = dark ? "light" : "dark";
        try { localStorage.setItem("umlab-theme", root.dataset.theme); } catch (error) { /* file:// may have none */ }
    });

    /* ---- What is wide shows that it goes on, and can be scrolled by keys, too ---- */
    const wide = document.querySelectorAll("pre, div.fragment, table.markdownTable, table.doxtable, figure.diagram, " +
        "table.memberdecls, .found, div.image");
    function showWide(box) {
        const more = box.scrollWidth - box.clientWidth;
        box.classList.toggle("more-left", more > 1 && box.scrollLeft > 1);
        box.classList.toggle("more-right", more > 1 && box.scrollLeft < more - 1);
        if (more > 1) box.tabIndex = 0;
    }
    const watch = new ResizeObserver(entries => entries.forEach(entry => showWide(entry.target)));
    for (const box of wide) {
        box.addEventListener("scroll", () => showWide(box), {passive: true});
        watch.observe(box);
    }

    /* ---- Code and commands can be taken along; what stands behind # on a line of commands stays ---- */
    const SHORT = 3; /* lines: commands, most likely, whose button shows at once */
    function copyButton(box) {
        const button = document.createElement("button"), holder = document.createElement("div");
        button.type = "button";
        button.className = "copy";
        button.textContent = "Copy";
        button.addEventListener("click", async () => {
            const lines = box.querySelectorAll("div.line");
            const text = lines.length ? [...lines].map(line => line.textContent).join("\n") : box.textContent;
            try {
                await navigator.clipboard.writeText(text.trimEnd() + "\n");
                button.textContent = "Copied";
            } catch (error) { /* no clipboard from file:// in some browsers: it is marked, and Ctrl-C takes it */
                getSelection().selectAllChildren(box);
                button.textContent = "Marked";
            }
            setTimeout(() => { button.textContent = "Copy"; }, 1500);
        });
        holder.className = "copied";
        holder.classList.toggle("short", box.textContent.trim().split("\n").length <= SHORT);
        box.before(holder);
        holder.append(box, button);
    }
    for (const box of document.querySelectorAll("main pre.fragment, main div.fragment"))
        if (!box.parentElement.closest(".claim, .playground, td")) copyButton(box);

    /* ---- On a narrow screen the contents of a page are folded ---- */
    const title = document.querySelector(".toc-title");
    if (title) {
        const button = document.createElement("button"), list = title.parentElement;
        button.type = "button";
        button.textContent = title.textContent;
        title.replaceChildren(button);
        const fold = folded => {
            list.classList.toggle("folded", folded);
            button.setAttribute("aria-expanded", String(!folded));
        };
        button.addEventListener("click", () => fold(!list.classList.contains("folded")));
        fold(matchMedia("(max-width: 75.99rem)").matches);
    }

    /* ---- Search ---- */
    let asked = false, chosen = -1;
    function load() {
        if (asked) return;
        asked = true;
        const script = document.createElement("script");
        script.src = "search.js";
        script.onload = show;
        document.head.append(script);
    }
    function show() {
        chosen = -1;
        results.replaceChildren();
        results.hidden = field.value.trim() === "" || !window.umlabSearch;
        if (results.hidden) return;
        const {found, instead} = umlabRank(window.umlabSearch, window.umlabSynonyms, field.value);
        if (instead) {
            const note = document.createElement("p");
            note.textContent = `Nothing has that; this has “${instead}”:`;
            results.append(note);
        }
        for (const entry of found.slice(0, 14)) {
            const link = document.createElement("a"), place = document.createElement("small");
            link.href = entry[1];
            link.textContent = entry[0];
            place.textContent = entry[2];
            if (entry[2]) link.append(place);
            results.append(link);
        }
        if (found.length === 0) {
            const none = document.createElement("p");
            none.textContent = "Nothing has all of these words.";
            results.append(none);
        }
    }
    field.addEventListener("focus", load);
    field.addEventListener("input", () => { load(); show(); });
    field.addEventListener("keydown", event => {
        const links = results.querySelectorAll("a");
        if (event.key === "Escape") { field.value = ""; show(); }
        else if (event.key === "Enter" && links.length) links[Math.max(chosen, 0)].click();
        else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && links.length) {
            chosen = (chosen + (event.key === "ArrowDown" ? 1 : -1) + links.length) % links.length;
            links.forEach((link, number) => link.classList.toggle("on", number === chosen));
            links[chosen].scrollIntoView({block: "nearest"});
            event.preventDefault();
        }
    });
    document.addEventListener("click", event => { if (!event.target.closest(".search")) results.hidden = true; });
    document.addEventListener("keydown", event => {
        if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
            field.focus();
            event.preventDefault();
        }
    });
})();
