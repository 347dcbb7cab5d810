import type { ObjectType } from '#shared/crm/crm-record.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import { priceOfQuestion } from '#shared/questions/question.ts';

/** What the cheapest question that the policy may ask costs, credits: with less left, nothing can be bought. */
export function cheapestQuestion({ questions }: Policy): number {
  const operations = [...questions.contacts, 'companyProfile' as const];
  return Math.min(
    ...operations.map((operation) => priceOfQuestion({ operation, parameters: {}, options: [] })),
  );
}

/** The most that refreshing one record costs: what the policy may buy for it, credits. */
export function worstCaseOfRefresh(objectType: ObjectType, { questions }: Policy): number {
  if (objectType === 'companies') {
    const options = (['funding', 'technology', 'contacts'] as const).filter(
      (option) => questions.companies[option],
    );
    const price = priceOfQuestion({ operation: 'companyProfile', parameters: {}, options });
    return questions.fallThrough ? 2 * price : price;
  }
  const options = [
    ...(questions.wantEmail ? ['email' as const] : []),
    ...(questions.wantPhone ? ['phone' as const] : []),
  ];
  const prices = questions.contacts.map((operation) => {
    const bare = operation === 'reverseEmail' || operation === 'reversePhone';
    return priceOfQuestion({ operation, parameters: {}, options: bare ? [] : options });
  });
  return questions.fallThrough ? prices.reduce((sum, price) => sum + price, 0) : Math.max(...prices);
}
