import {
  type Query,
  readView,
  refusalView,
  VIEWS,
  type ViewSources,
  widgetLinks,
  widgetOf,
} from '#shared/spend';

/**
 * Event of a CloudWatch dashboard for a custom widget (CloudWatch user guide, "Create a custom widget"). The event
 * either asks for documentation, or contains the widget's parameters and context. After a click, it also contains the
 * view, the view's parameters and the fields of the widget's form.
 */
export type WidgetEvent =
  | { readonly describe: boolean }
  | {
      readonly view?: unknown;
      readonly query?: unknown;
      readonly month?: unknown;
      readonly widgetContext: {
        readonly theme?: string | undefined;
        readonly forms?: { readonly all?: unknown } | undefined;
      };
    };

/** The part of Lambda's context that the widget needs, because the widget's links call this function. */
export interface WidgetCall {
  readonly invokedFunctionArn: string;
}

const DOCUMENTATION = `### Credit spend

The credits that the enrichment has spent: today, this month, by day, operation, purpose and outcome; budgets, forecast and open doubts; the charges behind each figure, and the records that wait. Days and months are those of the policy's time zone, whatever the dashboard shows; the dashboard's time range does not change them.

Parameters, all optional: \`month\` (\`2026-11\`). Other ranges and filters are picked in the widget.
`;

/** Renders the spend page as a widget. Documentation is Markdown, everything else is HTML. Changes nothing. */
export function createWidgetHandler(services: ViewSources) {
  return async (event: WidgetEvent, { invokedFunctionArn }: WidgetCall): Promise<string> => {
    if ('describe' in event) return DOCUMENTATION;
    const { widgetContext } = event;
    const theme = widgetContext.theme === 'dark' ? 'dark' : 'light';
    const view = VIEWS.find((each) => each === event.view) ?? 'spend';
    const links = widgetLinks(invokedFunctionArn, await services.place());
    const result = await readView(services, { view, query: queryOf(event), links });
    if (result.kind === 'shown') return widgetOf(result.shown, theme);
    return widgetOf(refusalView(result, links), theme);
  };
}

/** Returns the parameters of a view. A link contains all parameters. A form's parameters are its fields. */
function queryOf(event: Exclude<WidgetEvent, { readonly describe: boolean }>): Query {
  const isClicked = event.view !== undefined;
  if (!isClicked) return textsOf({ month: event.month });
  return textsOf(event.query ?? event.widgetContext.forms?.all);
}

function textsOf(given: unknown): Query {
  const pairs = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
