/** Makes an id that no other call, in any process, makes again. */
export type NewId = () => string;
