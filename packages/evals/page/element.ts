/** Attributes by name: `true` stands for one without a value, `false` and `undefined` for none. */
export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined;
}

export type Child = Node | string | undefined;

/** An element with attributes and children. Texts become text and nothing else: nothing here parses markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  children: string | readonly Child[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(attribute, value === true ? '' : String(value));
  }
  made.append(...(typeof children === 'string' ? [children] : children.filter((child) => child !== undefined)));
  return made;
}

const longest = 20_000;

/** A text from outside, kept apart from the direction of what stands around it. */
export function outside(text: string, attributes: Attributes = {}): HTMLElement {
  const { class: given, ...rest } = attributes;
  const shown = text.length > longest ? `${text.slice(0, longest)} … ${text.length - longest} more characters` : text;
  return element('bdi', { class: ['outside', given].filter(Boolean).join(' '), ...rest }, shown);
}

/** A button that does something. */
export function button(label: string | readonly Child[], attributes: Attributes, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', act);
  return made;
}

/** A part of the page with a heading of its own. */
export function section(id: string, title: string, children: readonly Child[]): HTMLElement {
  const heading = element('h2', { id: `${id}-title`, tabindex: -1 }, title);
  return element('section', { id, 'aria-labelledby': `${id}-title` }, [heading, ...children]);
}
