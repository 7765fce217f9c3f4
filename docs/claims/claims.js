"use strict";
/* Shows the claims of one verdict, and in an opened claim the code that stands with its tests. A link to a claim that
 * is hidden shows all again. */
(function () {
    const chooser = document.getElementById("verdicts");
    const cards = document.querySelectorAll(".claim");

    function show(verdict) {
        for (const card of cards)
            card.hidden = verdict !== "" && card.dataset.verdict !== verdict;
    }
    function follow() {
        const card = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1)))
            : null;
        if (!card || !card.hidden) return;
        chooser.querySelector('input[value=""]').checked = true;
        show("");
        card.scrollIntoView();
    }
    for (const details of document.querySelectorAll(".claim details"))
        details.addEventListener("toggle", () => {
            for (const place of details.querySelectorAll("[data-code-of]:empty")) {
                const code = document.querySelector(`#claims-test-${place.dataset.codeOf} .fragment`);
                if (code) place.append(code.cloneNode(true));
            }
        });
    chooser.addEventListener("change", (event) => show(event.target.value));
    window.addEventListener("hashchange", follow);
    /* A reload keeps the choice, but not what it hides. */
    const chosen = chooser.querySelector("input:checked");
    show(chosen ? chosen.value : "");
    follow();
}());
