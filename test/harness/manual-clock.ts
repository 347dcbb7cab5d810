export { createManualClock, type ManualClock } from '../../infra/local/virtual/manual-clock.ts';
