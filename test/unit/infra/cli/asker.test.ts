import { expect, it } from 'vitest';
import { createAsker } from '../../../../infra/cli/commands/asker.ts';
import type { Connection } from '../../../../infra/cli/connection/connection.ts';
import { profileUrlOf, somePerson } from '../../../harness/people.ts';
import { createWorld } from '../../../harness/world.ts';

it('sends nothing that costs more than was agreed, although the stored answer is gone', async () => {
  const world = await createWorld();
  const { services } = world;
  const asker = createAsker({ services } as unknown as Connection, { signal: undefined, waitMs: 60_000 });
  const by = { profileUrl: profileUrlOf(somePerson(world)) };
  const question = { operation: 'personProfile', by, options: ['email'] } as const;
  await expect(asker.ask(question, 2)).rejects.toMatchObject({ code: 'too-dear' });
  expect(world.charged()).toBe(0);
  expect(await asker.ask(question, 3)).toMatchObject({ kind: 'found', credits: 3, fromStore: false });
  expect(await asker.ask(question, 0)).toMatchObject({ credits: 0, fromStore: true });
});
