import { drawPlan } from './plan.ts';
import { simulate } from './simulate.ts';

const plan = process.argv[3] ? JSON.parse(process.argv[3]) : drawPlan(Number(process.argv[2]));
const { problems, lines } = await simulate(plan);
console.log(problems, lines);
