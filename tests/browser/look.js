/*
 * What a page looks like from within, for tests/browser/pages.py: a function body that returns a promise of
 * [[kind, what], ...]. Kinds: overflow, image, alt, heading, landmark, id, contrast.
 */
"use strict";
const found = [];
const root = document.documentElement;
const OVERFLOWS = 3, CONTRASTS = 5, LEAST_CONTRAST = 4.5;

function name(element) {
    const words = (element.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
    const label = [...element.classList].map(word => "." + word).join("");
    return `<${element.localName}${element.id ? "#" + element.id : ""}${label}>${words ? ` "${words}"` : ""}`;
}

/* ---- Nothing wider than the screen: the page, or the box that holds its heading, would scroll sideways ---- */
function scrolls(element) {
    return ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(element).overflowX);
}
function overflow() {
    const heading = document.querySelector("h1");
    const boxes = [root];
    for (let box = heading && heading.parentElement; box && box !== root; box = box.parentElement)
        if (box !== document.body && scrolls(box)) boxes.push(box);
    for (const box of boxes) {
        const width = box.clientWidth, over = box.scrollWidth - width;
        if (over <= 0) continue;
        const edge = box === root ? width : box.getBoundingClientRect().left + width;
        const culprits = [...box.querySelectorAll("*")].filter(element => {
            if (element.getBoundingClientRect().right + scrollX <= edge + 0.5) return false;
            for (let up = element.parentElement; up && up !== box; up = up.parentElement)
                if (up !== document.body && scrolls(up)) return false;
            return true;
        });
        /* The innermost ones are to blame. */
        const inner = culprits.filter(element => !culprits.some(other => other !== element && element.contains(other)));
        const named = inner.slice(0, OVERFLOWS).map(name);
        found.push(["overflow", `${over} px beyond ${width}: ${named.join(", ") || name(box)}`]);
    }
    if (root.clientWidth !== screen.width)
        found.push(["overflow", `laid out ${root.clientWidth} px wide on a screen of ${screen.width}: ` +
            "no meta viewport?"]);
}

/* ---- Images ---- */
async function images() {
    for (const image of document.images) {
        image.loading = "eager";
        await image.decode().catch(() => {});
        if (!image.naturalWidth) found.push(["image", `${image.getAttribute("src")} does not load`]);
        if (!image.hasAttribute("alt")) found.push(["alt", `${name(image)} ${image.getAttribute("src").slice(0, 60)}`]);
    }
    for (const drawing of document.querySelectorAll("svg")) {
        if (drawing.parentElement.closest("svg") || drawing.closest("[aria-hidden=true]")) continue;
        const title = drawing.querySelector(":scope > title");
        if (!drawing.getAttribute("aria-label") && !drawing.getAttribute("aria-labelledby") && !title)
            found.push(["alt", `${name(drawing)} has no title and no aria-label`]);
    }
}

/* ---- Headings, landmarks, ids ---- */
function outline() {
    const shown = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(one => one.checkVisibility());
    const firsts = shown.filter(heading => heading.localName === "h1");
    if (firsts.length !== 1) found.push(["heading", `${firsts.length} of <h1>: ${firsts.map(name).join(", ")}`]);
    for (const empty of shown.filter(heading => !heading.textContent.trim()))
        found.push(["heading", `${name(empty)} is empty`]);
    shown.forEach((heading, index) => {
        const before = index ? Number(shown[index - 1].localName[1]) : 1;
        if (Number(heading.localName[1]) > before + 1)
            found.push(["heading", `${name(heading)} comes after <h${before}>`]);
    });
    const mains = document.querySelectorAll("main, [role=main]").length;
    if (mains !== 1) found.push(["landmark", `${mains} of <main>`]);
    if (!root.lang) found.push(["landmark", "<html> has no lang"]);
    if (!document.title.trim()) found.push(["landmark", "no title"]);
    const ids = new Set();
    for (const element of document.querySelectorAll("[id]")) {
        if (ids.has(element.id)) found.push(["id", `#${element.id} is there twice`]);
        ids.add(element.id);
    }
}

/* ---- Contrast, as WCAG 2 defines it ---- */
const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const known = new Map();
function rgba(text) { /* any CSS colour: [red, green, blue, alpha], 0 to 255 and 0 to 1 */
    if (!known.has(text)) {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
        known.set(text, [red, green, blue, alpha / 255]);
    }
    return known.get(text);
}
function over(top, below) {
    return [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
}
function luminance(colour) {
    const [red, green, blue] = colour.slice(0, 3).map(part => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function ratio(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
}
/* Strips along a box's edges, such as shadows where it scrolls: text that is read stands beside them. */
const EDGE = 64; /* pixels */
function isEdges(style) {
    const isNarrow = size => /^[\d.]+px/.test(size.trim()) && parseFloat(size) <= EDGE;
    return style.backgroundRepeat.split(",").every(repeat => repeat.trim() === "no-repeat")
        && style.backgroundSize.split(",").every(isNarrow);
}
/* What is behind an element: the colours of its ancestors, one over the other; null where a picture is. */
function behind(element) {
    const layers = [];
    for (let box = element; box; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (style.backgroundImage !== "none" && !isEdges(style)) return null;
        const colour = rgba(style.backgroundColor);
        if (colour[3] > 0) layers.push(colour);
        if (colour[3] === 1) break;
    }
    let result = getComputedStyle(root).colorScheme.includes("dark")
        && matchMedia("(prefers-color-scheme: dark)").matches
        ? [18, 18, 18, 1] : [255, 255, 255, 1];
    for (const layer of layers.reverse()) result = over(layer, result);
    return result;
}
/* Text in a drawing stands on the last filled shape before it that its middle is in; null on a picture. */
function behindDrawn(text) {
    const box = text.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
    let result = behind(text.closest("svg"));
    for (const shape of text.ownerSVGElement.querySelectorAll("rect, circle, ellipse, path, polygon, use, " +
        "image, text")) {
        if (shape === text || text.contains(shape)) break;
        const area = shape.getBoundingClientRect(), style = getComputedStyle(shape),
            picture = shape.localName === "image";
        if (shape.localName === "text" || (style.fill === "none" && !picture) || !shape.checkVisibility()) continue;
        if (x < area.left || x > area.right || y < area.top || y > area.bottom) continue;
        const [red, green, blue, alpha] = rgba(style.fill);
        const cover = alpha * Number(style.fillOpacity) * Number(style.opacity);
        if (picture || style.fill.startsWith("url")) result = null;
        else if (result || cover === 1) result = over([red, green, blue, cover], result || [0, 0, 0, 1]);
    }
    return result;
}
function contrast() {
    const seen = new Set(), poor = new Map();
    let shown = 0, measured = 0;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || seen.has(element)) continue;
        seen.add(element);
        if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
        if (["script", "style", "title", "desc", "noscript", "option"].includes(element.localName)) continue;
        if (element.matches(":disabled") || !element.getClientRects().length) continue;
        shown++;
        const style = getComputedStyle(element), drawn = element.closest("text");
        const back = drawn ? behindDrawn(drawn) : behind(element);
        if (!back) continue;
        measured++;
        const front = rgba(drawn ? style.fill : style.color).slice();
        for (let box = element; box; box = box.parentElement) front[3] *= Number(getComputedStyle(box).opacity);
        const reached = ratio(over(front, back), back);
        if (reached >= LEAST_CONTRAST) continue;
        const label = `${element.localName}.${element.className.baseVal ?? element.className} ${reached.toFixed(2)}`;
        if (!poor.has(label)) poor.set(label, `${reached.toFixed(2)}:1, ${name(element)} ` +
            `rgb(${front.slice(0, 3)}) on ` +
            `rgb(${back.slice(0, 3).map(Math.round)})`);
    }
    if (measured < shown / 2) found.push(["contrast", `only ${measured} of ${shown} texts can be measured`]);
    for (const text of [...poor.values()].slice(0, CONTRASTS)) found.push(["contrast", text]);
}

/* A colour that is still on its way from light to dark would be measured on its way. */
if (!window.umlabStill) {
    window.umlabStill = new CSSStyleSheet();
    window.umlabStill.replaceSync("*, *::before, *::after { transition: none !important; " +
        "animation: none !important; }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, window.umlabStill];
}
/* What a page does when light becomes dark, it does in the frame after the one that finds it out. */
async function frame() {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
}

const parts = {frame, outline, overflow, contrast, images};
return (async () => {
    for (const part of arguments[0]) await parts[part]();
    return found;
})();
