export { withStopInForce } from './home-view.ts';
export { type HomeItems, type HomeServices, keepHome, renewHome } from './keep-home.ts';
export type { HomeView } from './schemas.ts';
export { homeKind } from './stored-kinds.ts';
