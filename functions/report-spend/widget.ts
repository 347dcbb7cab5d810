import {
  lookAt,
  type Query,
  refusalView,
  VIEWS,
  type ViewSources,
  widgetLinks,
  widgetOf,
} from '#shared/spend';

/**
 * What a CloudWatch dashboard sends to a custom widget's function (CloudWatch user guide, "Create a custom widget"):
 * either a question for its documentation, or the widget's parameters and the surroundings in which it is shown. A click
 * in the widget brings the view and its parameters, and what stands in the widget's form.
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

/** The part of Lambda's context that the widget needs: the function calls itself again from its links. */
export interface WidgetCall {
  readonly invokedFunctionArn: string;
}

const DOCUMENTATION = `### Credit spend

The credits that the enrichment has spent: today, this month, by day, operation, purpose and outcome; budgets, forecast and open doubts; the charges behind each figure, and the records that wait. Days and months are those of the policy's time zone, whatever the dashboard shows; the dashboard's time range does not change them.

Parameters, all optional: \`month\` (\`2026-11\`). Other ranges and filters are picked in the widget.
`;

/** The spend page as a widget: documentation in Markdown, otherwise HTML. Only reads. */
export function createWidgetHandler(services: ViewSources) {
  return async (event: WidgetEvent, { invokedFunctionArn }: WidgetCall): Promise<string> => {
    if ('describe' in event) return DOCUMENTATION;
    const { widgetContext } = event;
    const theme = widgetContext.theme === 'dark' ? 'dark' : 'light';
    const view = VIEWS.find((each) => each === event.view) ?? 'spend';
    const links = widgetLinks(invokedFunctionArn, services.stack);
    const looked = await lookAt(services, { view, query: queryOf(event), links });
    if (looked.kind === 'shown') return widgetOf(looked.shown, theme);
    return widgetOf(refusalView(looked.problem, links), theme);
  };
}

/** A link names all of its parameters; a form's are what stands in it. */
function queryOf(event: Exclude<WidgetEvent, { readonly describe: boolean }>): Query {
  const isClicked = event.view !== undefined;
  if (!isClicked) return textsOf({ month: event.month });
  return textsOf(event.query ?? event.widgetContext.forms?.all);
}

function textsOf(given: unknown): Query {
  const pairs = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
