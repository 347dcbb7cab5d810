import { spendWidget } from '#shared/spend/page/widget.ts';
import { type ReportSources, readReport } from '#shared/spend/read-report.ts';

/**
 * What a CloudWatch dashboard sends to a custom widget's function
 * (CloudWatch user guide, "Create a custom widget"): either a question for its documentation, or the widget's
 * parameters and the surroundings in which it is shown.
 */
export type WidgetEvent =
  | { readonly describe: boolean }
  | { readonly widgetContext: { readonly theme?: string | undefined } };

const DOCUMENTATION = `### Credit spend

The credits that the enrichment has spent: today, this month, by day, operation, purpose and outcome; budgets, forecast and open doubts. Days and months are those of the policy's time zone, whatever the dashboard shows; the dashboard's time range does not change them.

It takes no parameters.
`;

/** The spend page as a widget: documentation in Markdown, otherwise HTML. Only reads. */
export function createWidgetHandler(services: ReportSources) {
  return async (event: WidgetEvent): Promise<string> => {
    if ('describe' in event) return DOCUMENTATION;
    const theme = event.widgetContext.theme === 'dark' ? 'dark' : 'light';
    return spendWidget(await readReport(services), theme);
  };
}
