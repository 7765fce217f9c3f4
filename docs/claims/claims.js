"use strict";
/* Shows the claims of one verdict. A link to a claim that is hidden shows all again. */
(function () {
    const chooser = document.getElementById("verdicts");
    const cards = document.querySelectorAll(".claim");

    function show(verdict) {
        for (const card of cards)
            card.hidden = verdict !== "" && card.dataset.verdict !== verdict;
    }
    function follow() {
        const card = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
        if (!card || !card.hidden) return;
        chooser.querySelector('input[value=""]').checked = true;
        show("");
        card.scrollIntoView();
    }
    chooser.addEventListener("change", (event) => show(event.target.value));
    window.addEventListener("hashchange", follow);
    /* A reload keeps the choice, but not what it hides. */
    const chosen = chooser.querySelector("input:checked");
    show(chosen ? chosen.value : "");
    follow();
}());
