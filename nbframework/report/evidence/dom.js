// Elements without markup: every text is set as text, so that no name can be code.

const byId = (id) => document.getElementById(id);

function append(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) parent.append(child);
  }
  return parent;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, entry] of Object.entries(value)) element.style.setProperty(key, entry);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  return element;
}

/** Appends to a parent; null and false leave a child out. */
const put = (parent, ...children) => append(parent, children);

/** Returns an HTML element; `on...` are listeners, `style` sets properties, null and false leave an attribute out. */
const h = (tag, attributes = {}, ...children) =>
  append(setAttributes(document.createElement(tag), attributes), children);

const inNamespace = (namespace) => (tag, attributes = {}, ...children) =>
  append(setAttributes(document.createElementNS(namespace, tag), attributes), children);
const svg = inNamespace("http://www.w3.org/2000/svg");
const math = inNamespace("http://www.w3.org/1998/Math/MathML");

/** Returns a select of texts whose values are their places. */
const choice = (texts, chosen, onchange) => {
  const select = h("select", { onchange: () => onchange(Number(select.value)) });
  texts.forEach((text, place) => select.append(h("option", { value: place }, text)));
  select.value = String(chosen);
  return select;
};

/** A region that scrolls sideways by keyboard, too. */
const scroller = (label, table) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);

/** The look of a class: its colour and its pattern, both of which repeat late together. */
const classLook = (code) => `series s${(code % 7) + 1} p${code % 5}`;
