import { html } from '../../../../shared/kernel/index.ts';
import { enrol } from '../extensions/executions.ts';
import { pluralName } from '../objects/object-types.ts';
import { findRecord } from '../objects/records.ts';
import { SCREENS, screenResponse, seeOther } from './frame.ts';
import { type RecordVisit, recordName, type Visit } from './visit.ts';

const MOST_SHOWN = 100;

const STATES = { held: 'Waits for the app', completed: 'Done', failed: 'Refused by the app' } as const;

/**
 * Page of the workflow, whose only step is the app's action. It shows the latest records and the action's results for
 * them.
 */
export function workflowPage({ portal }: Visit): Response {
  const rows = portal.state.executions
    .slice(-MOST_SHOWN)
    .reverse()
    .map(({ typeId, recordId, state, outputs }) => {
      const record = findRecord(portal, { typeId, id: recordId });
      const name = record ? recordName(portal, record) : recordId;
      const { outcome = '', credits = '', reason = '' } = outputs;
      return html`<tr><th scope="row"><a href="${SCREENS}/${pluralName(typeId)}/${recordId}">${name}</a></th>
<td>${STATES[state]}</td><td>${outcome}</td><td>${credits && `${credits} ${credits === '1' ? 'credit' : 'credits'}`}</td><td>${reason}</td></tr>\n`;
    });
  const table = html`<table class="stacked"><caption>Latest records</caption>
<thead><tr><th scope="col">Record</th><th scope="col">State</th><th scope="col">Outcome</th><th scope="col">Cost</th><th scope="col">Reason</th></tr></thead><tbody>${rows}</tbody></table>`;
  const main = html`<section class="panel stack"><h2>Enrich record</h2>
<p>When a person enrolls a record, the workflow runs the app's action and waits until the app reports how it ended. The report may take a minute.</p>
<p class="muted">To enroll a record, open it and choose "Enroll in the workflow".</p></section>
<section class="panel stack">${rows.length > 0 ? table : html`<p>No record was enrolled yet.</p>`}
<p><a class="button" href="${SCREENS}/workflow">Look again</a></p></section>`;
  return screenResponse(portal, { title: 'Workflow', place: 'workflow', main });
}

export async function enrollFromForm({ portal, actions, record, typeId }: RecordVisit): Promise<Response> {
  await enrol({ portal, send: actions.send, typeId, recordIds: [record.id] });
  return seeOther('workflow');
}
