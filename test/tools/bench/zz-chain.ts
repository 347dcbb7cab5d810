import { countRequestChain } from '/work/h/core/test/tools/bench/request-chain.ts';
const n = Number(process.argv[2] ?? 1);
const c = await countRequestChain({ records: n, isWarm: true, isAskingApart: true });
console.log(c.requests.join('\n'));
console.log(JSON.stringify(c.worker), c.enriched);
