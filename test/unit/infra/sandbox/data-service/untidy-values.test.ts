import { describe, expect, it } from 'vitest';
import { createCaller } from './caller.ts';

describe('untidy values', () => {
  const answersAt = async (untidyRate: number) => {
    const { get, settings, sandbox } = createCaller();
    await settings({ untidyRate });
    const known = sandbox.world.people.filter(({ job }) => job.email !== undefined).slice(0, 40);
    const replies = await Promise.all(
      known.map(({ job }) => get('/api/v1/people/lookup/email', { email: job.email ?? '' })),
    );
    return replies.map(({ body }) => body.data as Record<string, unknown>);
  };

  it('are yielded at the rate of the setting, and the same in every answer', async () => {
    const [tidy, some, again, all] = [
      await answersAt(0),
      await answersAt(0.2),
      await answersAt(0.2),
      await answersAt(1),
    ];
    expect(again).toEqual(some);
    const changed = (answers: typeof tidy, field: string) =>
      answers.filter((answer, index) => answer[field] !== tidy[index]?.[field]).length;
    for (const field of ['first_name', 'last_name', 'title', 'organizations.primary_domain']) {
      expect(changed(all, field)).toBe(40);
      expect(changed(some, field)).toBeGreaterThan(0);
      expect(changed(some, field)).toBeLessThan(20);
    }
    expect(changed(all, 'id') + changed(all, 'network_url')).toBe(0);
  });

  it.each([-0.1, 1.1, '1'])('have no rate of %j', async (untidyRate) => {
    expect((await createCaller().settings({ untidyRate })).status).toBe(400);
  });
});
