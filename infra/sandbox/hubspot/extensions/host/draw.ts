import type { RemoteChild, RemoteComponent, RemoteRoot } from '@remote-ui/core';

type Node = RemoteChild<RemoteRoot>;
type Component = RemoteComponent<string, RemoteRoot>;

/** HTML tags for those of HubSpot's components that the card and the home page use. */
const TAGS: Readonly<Record<string, string>> = {
  Alert: 'section',
  Button: 'button',
  Checkbox: 'label',
  Divider: 'hr',
  EmptyState: 'section',
  ErrorState: 'section',
  Flex: 'div',
  Heading: 'h2',
  Link: 'a',
  LoadingSpinner: 'p',
  StatusTag: 'span',
  Table: 'table',
  TableBody: 'tbody',
  TableCell: 'td',
  TableHead: 'thead',
  TableHeader: 'th',
  TableRow: 'tr',
  Text: 'p',
};

/** Draws the components as plain HTML. @throws Error if a component is not in the table. */
export function draw(root: RemoteRoot, into: HTMLElement): void {
  const focused = document.activeElement?.textContent;
  into.replaceChildren(...root.children.map((child) => drawn(child)));
  // Restores the keyboard focus.
  const button = [...into.querySelectorAll('button')].find((each) => each.textContent === focused);
  button?.focus();
}

function drawn(node: Node): HTMLElement | string {
  if (!('type' in node)) return 'text' in node ? node.text : '';
  const { type, children } = node as Component;
  const props = node.props as Readonly<Record<string, unknown>>;
  const tag = TAGS[type];
  if (!tag) throw new Error(`The host knows no ${type}.`);
  const element = document.createElement(tag);
  element.className = [type, props['variant'], props['direction'], props['size']].filter(Boolean).join(' ');
  if (props['title'])
    element.append(Object.assign(document.createElement('h2'), { textContent: props['title'] }));
  if (props['label']) element.append(String(props['label']));
  element.append(...children.map((child) => drawn(child)));
  if (type === 'Alert' || type === 'LoadingSpinner') element.setAttribute('role', 'status');
  if (type === 'TableHeader') element.setAttribute('scope', 'col');
  if (type === 'Link') element.setAttribute('href', screenOf(String(props['href'])));
  if (type === 'Checkbox') element.prepend(box(props));
  if (element instanceof HTMLButtonElement) {
    element.type = 'button';
    element.disabled = props['disabled'] === true;
    const { onClick } = props as { readonly onClick?: () => void };
    element.addEventListener('click', () => onClick?.());
  }
  return element;
}

/** Address of the stand-in's page for a record's page in HubSpot. */
function screenOf(href: string): string {
  const [, typeId, id] = /\/record\/(0-[12])\/(\d+)$/.exec(href) ?? [];
  return id === undefined ? href : `/screen/${typeId === '0-1' ? 'contacts' : 'companies'}/${id}`;
}

function box(props: Readonly<Record<string, unknown>>): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'checkbox';
  input.checked = props['checked'] === true;
  input.disabled = props['readOnly'] === true;
  if (props['aria-label']) input.setAttribute('aria-label', String(props['aria-label']));
  const { onChange } = props as { readonly onChange?: (checked: boolean, value: string) => void };
  input.addEventListener('change', () => onChange?.(input.checked, input.value));
  return input;
}
