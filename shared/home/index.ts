export { type HomeItems, type HomeServices, keepHome } from './keep-home.ts';
export type { HomeView } from './schemas.ts';
export { homeKind } from './stored-kinds.ts';
