/* umlab.js: the site's three buttons: pages (on a phone), theme, search. Nothing is loaded from elsewhere, and all of
 * it works from file://: the index of the search is a script (search.js, made by docs/site/finish.py) that is loaded
 * when somebody is about to search.
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

    /* ---- What is wide can be scrolled by keys, too ---- */
    for (const box of document.querySelectorAll("pre, div.fragment, table.markdownTable, figure.diagram"))
        if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;

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
