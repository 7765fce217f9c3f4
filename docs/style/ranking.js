/* ranking.js: which places of the site answer what was typed, best first. No page is touched here (umlab.js does), so
 * that it also runs elsewhere. tests/browser/search.py asks it what students ask.
 *
 * An entry of the index is [title, address, place, words, rank, name in the list of pages and what it is about]:
 * place is the page's title for what is on a page and "" for the page itself, words the distinct words of its text,
 * rank what docs/site/finish.py gives it: 3 a guide or a lab, 2 other pages of the list, 1 what a course's programs
 * include, 0 umlab's inside. */
(function (global) {
    "use strict";
    const STOP = new Set(("a an and any are be by can could do does for from get has have how i if in is it its me " +
        "my of on or so than that the there this to was what when where which who why will with you your").split(" "));
    const RANK_POINTS = [0, 60, 90, 130], PAGE_POINTS = 20; /* a page about it before any symbol of that name */
    const MEANING = "words.html#word-"; /* what a word means is as good as a page */
    const SYMBOL_POINTS = 200; /* who types a name with its underscores wants no page about it */
    const FEWEST_LETTERS = 4; /* of a word in which a spelling mistake is looked for */

    /* What a word counts in a name: whole, at its beginning, at the beginning of a word in it, within a word. */
    function points(name, word) {
        const at = name.toLowerCase().indexOf(word);
        if (at < 0) return 0;
        if (at === 0 && name.length === word.length) return word.includes("_") ? SYMBOL_POINTS : 60;
        if (at === 0) return 30;
        return /[a-z0-9]/i.test(name[at - 1]) ? 8 : 22;
    }

    function pointsOfWord([title, address, , text, , listed], word) {
        if (address === word + ".html") return 90;
        const inText = text.startsWith(word) || text.includes(" " + word) ? 3 : 0;
        const inTitle = points(title, word), isMeaning = inTitle > 0 && address.startsWith(MEANING);
        return Math.max(inTitle + (isMeaning ? PAGE_POINTS : 0), points(listed || "", word), inText);
    }

    /* How well an entry answers: of each list of words that mean the same one has to be somewhere, or it is 0. */
    function score(entry, asked) {
        let sum = RANK_POINTS[entry[4]] + (entry[2] === "" ? PAGE_POINTS : 0);
        for (const alike of asked) {
            const best = Math.max(...alike.map((words, number) => {
                const each = words.map(word => pointsOfWord(entry, word));
                return Math.min(...each) === 0 ? 0 : each.reduce((a, b) => a + b) / each.length - (number ? 1 : 0);
            }));
            if (best <= 0) return 0;
            sum += best;
        }
        return sum;
    }

    /* Whether one letter more, less or other, or two that changed places, is all that tells two words apart. */
    function isNear(a, b) {
        if (Math.abs(a.length - b.length) > 1 || a === b) return a === b;
        let start = 0, end = 0;
        const shorter = Math.min(a.length, b.length);
        while (start < shorter && a[start] === b[start]) start++;
        while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
        const left = a.slice(start, a.length - end), right = b.slice(start, b.length - end);
        return left.length <= 1 && right.length <= 1
            || left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
    }

    /* The word of the index that was meant: of those that are near the one in most titles, then in most texts. */
    function corrected(index, word) {
        const counts = new Map();
        for (const [title, , , text] of index) {
            for (const one of new Set(title.toLowerCase().split(/[^a-z0-9_]+/)))
                if (isNear(one, word)) counts.set(one, (counts.get(one) || 0) + 1000);
            for (const one of text.split(" "))
                if (isNear(one, word)) counts.set(one, (counts.get(one) || 0) + 1);
        }
        return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(pair => pair[0])[0];
    }

    /* The words that were asked for, each with what means the same: synonyms is {phrase: [phrases]}. */
    function meanings(typed, synonyms) {
        const asked = [];
        for (let at = 0; at < typed.length;) {
            let length = Math.min(3, typed.length - at);
            while (length > 1 && !(typed.slice(at, at + length).join(" ") in synonyms)) length--;
            const phrase = typed.slice(at, at + length);
            const others = Object.hasOwn(synonyms, phrase.join(" ")) ? synonyms[phrase.join(" ")] : [];
            asked.push([phrase, ...others.map(other => other.split(" "))]);
            at += length;
        }
        return asked;
    }

    /* @return {found: entries, best first, instead: what was looked for where nothing has the word as it was typed} */
    global.umlabRank = function (index, synonyms, query) {
        const typed = query.toLowerCase().split(/[^a-z0-9_]+/).filter(Boolean);
        const telling = typed.filter(word => !STOP.has(word));
        const words = telling.length ? telling : typed;
        const ranked = list => index.map(entry => [score(entry, meanings(list, synonyms)), entry])
            .filter(pair => pair[0] > 0).sort((a, b) => b[0] - a[0]).map(pair => pair[1]);
        const found = words.length ? ranked(words) : [];
        if (found.length || !words.length) return {found, instead: ""};
        const known = word => word in synonyms || index.some(entry => pointsOfWord(entry, word) > 0);
        const names = Object.keys(synonyms).filter(name => !name.includes(" "));
        const others = words.map(word => known(word) || word.length < FEWEST_LETTERS ? word
            : names.find(name => isNear(name, word)) || corrected(index, word) || word);
        const instead = others.join(" ");
        return instead === words.join(" ") ? {found, instead: ""} : {found: ranked(others), instead};
    };
})(typeof window === "undefined" ? globalThis : window);
