import type { RemoteChild, RemoteComponent, RemoteRoot } from '@remote-ui/core';

type Node = RemoteChild<RemoteRoot>;
type Component = RemoteComponent<string, RemoteRoot>;

/** HTML tags for those of HubSpot's components that the card and the home page use. */
const TAGS: Readonly<Record<string, string>> = {
  Accordion: 'details',
  Alert: 'section',
  Box: 'div',
  Button: 'button',
  Checkbox: 'label',
  DescriptionList: 'dl',
  DescriptionListItem: 'div',
  Divider: 'hr',
  EmptyState: 'section',
  ErrorState: 'section',
  Flex: 'div',
  Heading: 'h2',
  Icon: 'span',
  Link: 'a',
  LoadingButton: 'button',
  LoadingSpinner: 'p',
  PageHeader: 'div',
  PageHeaderLink: 'a',
  PageHeaderPrimaryAction: 'div',
  PageHeaderSecondaryActions: 'div',
  PageLink: 'a',
  PageTitle: 'h2',
  ProgressBar: 'div',
  Statistics: 'div',
  StatisticsItem: 'div',
  StatusTag: 'span',
  Table: 'table',
  TableBody: 'tbody',
  TableCell: 'td',
  TableHead: 'thead',
  TableHeader: 'th',
  TableRow: 'tr',
  Tag: 'span',
  Text: 'p',
  Tile: 'div',
};

/** Elements that can have the keyboard focus. */
const FOCUSABLE = 'a, button, input, summary';

/** Draws the components as plain HTML. @throws Error if a component is not in the table. */
export function draw(root: RemoteRoot, into: HTMLElement): void {
  const focusable = () => [...into.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const nameOf = (each: Element | null | undefined) => each?.textContent || each?.getAttribute('aria-label');
  const before = focusable();
  const { activeElement } = document;
  const place = before.indexOf(activeElement as HTMLElement);
  const name = nameOf(activeElement);
  const sameBefore = before.slice(0, Math.max(0, place)).filter((each) => nameOf(each) === name).length;
  into.replaceChildren(...root.children.map((child) => drawn(child)));
  if (place < 0) return;
  // Restores the keyboard focus: to the element of the same name, else to the element at the same place.
  const now = focusable();
  const same = now.filter((each) => nameOf(each) === name);
  (same[sameBefore] ?? now[place])?.focus();
}

function drawn(node: Node): HTMLElement | string {
  if (!('type' in node)) return 'text' in node ? node.text : '';
  const { type, children } = node as Component;
  const props = node.props as Readonly<Record<string, unknown>>;
  const tag = type === 'PageHeaderLink' && !props['href'] ? 'button' : TAGS[type];
  if (!tag) throw new Error(`The host knows no ${type}.`);
  const element = document.createElement(tag);
  element.className = [type, ...STYLED.map((name) => props[name] && `${props[name]}`)]
    .filter(Boolean)
    .join(' ');
  for (const flag of ['wrap', 'inline', 'flush', 'compact']) if (props[flag]) element.classList.add(flag);
  for (const name of ['align', 'justify', 'flex'])
    if (props[name] !== undefined) element.classList.add(`${name}-${props[name]}`);
  const { format } = props as { readonly format?: Readonly<Record<string, string>> };
  if (format?.['fontWeight']) element.classList.add(format['fontWeight']);
  if (type === 'Accordion') element.append(summary(props));
  else if (props['title']) element.append(made('h2', props['title']));
  if (props['label']) element.append(made(LABELS[type] ?? 'span', props['label']));
  if (type === 'StatisticsItem') element.append(made('strong', props['number']));
  if (type === 'Icon') element.append(...icon(props));
  if (type === 'ProgressBar') element.append(...progress(props));
  const inner = type === 'DescriptionListItem' ? document.createElement('dd') : element;
  inner.append(...children.map((child) => drawn(child)));
  if (inner !== element) element.append(inner);
  if (element instanceof HTMLTableElement) nameCells(element);
  if (type === 'Alert' || type === 'LoadingSpinner') element.setAttribute('role', 'status');
  if (type === 'TableHeader') element.setAttribute('scope', 'col');
  if (type === 'Link' || tag === 'a') element.setAttribute('href', screenOf(props));
  if (type === 'Accordion' && props['open']) element.setAttribute('open', '');
  if (type === 'Checkbox') element.prepend(box(props));
  if (element instanceof HTMLButtonElement) {
    element.type = 'button';
    element.disabled = props['disabled'] === true || props['loading'] === true;
    const { onClick } = props as { readonly onClick?: () => void };
    element.addEventListener('click', () => onClick?.());
  }
  return element;
}

function made(tag: string, text: unknown): HTMLElement {
  return Object.assign(document.createElement(tag), { textContent: `${text ?? ''}` });
}

/** Gives each cell the heading of its column. On a phone, a row is drawn as a block, without the table's head. */
function nameCells({ tHead, tBodies }: HTMLTableElement): void {
  const heads = [...(tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent ?? '');
  for (const row of tBodies[0]?.rows ?? [])
    for (const [index, cell] of [...row.cells].entries()) cell.dataset['head'] = heads[index] ?? '';
}

/** Properties whose value is a class of the element. */
const STYLED = ['variant', 'direction', 'size', 'density'] as const;

/** Elements for the labels of components. */
const LABELS: Readonly<Record<string, string>> = { DescriptionListItem: 'dt', StatisticsItem: 'small' };

function summary(props: Readonly<Record<string, unknown>>): HTMLElement {
  const { title, onClick } = props as { readonly title?: string; readonly onClick?: () => void };
  const element = made('summary', title);
  element.addEventListener('click', (event) => {
    if (!onClick) return;
    event.preventDefault();
    onClick();
  });
  return element;
}

const ICONS: Readonly<Record<string, string>> = { right: '\u203a', downCarat: '\u2304', undo: '\u21b6' };

function icon(props: Readonly<Record<string, unknown>>): HTMLElement[] {
  const sign = made('span', ICONS[`${props['name']}`] ?? '\u2022');
  sign.setAttribute('aria-hidden', 'true');
  const text = made('span', props['screenReaderText']);
  text.className = 'unseen';
  return [sign, text];
}

function progress(props: Readonly<Record<string, unknown>>): (HTMLElement | string)[] {
  const { value = 0, maxValue = 100, valueDescription } = props;
  const bar = Object.assign(document.createElement('progress'), { value, max: maxValue });
  bar.setAttribute('aria-label', `${props['aria-label'] ?? props['title'] ?? valueDescription}`);
  return [bar, made('span', valueDescription)];
}

/** Address of the stand-in's page for a record's page in HubSpot, or of a page of the app. */
function screenOf(props: Readonly<Record<string, unknown>>): string {
  if (props['to']) return `#${props['to']}`;
  const href = String(props['href']);
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
