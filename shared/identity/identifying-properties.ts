import { byObjectType, OBJECT_TYPE_ROWS } from '#shared/crm';

/** Properties, by object type, whose change may lead to another answer. */
export const WATCHED_PROPERTIES = byObjectType<readonly string[]>((type) => OBJECT_TYPE_ROWS[type].watched);

/** Properties that identify a record: properties in a question, and properties that are compared with an answer. */
export const IDENTIFYING_PROPERTIES = byObjectType<readonly string[]>((type) => [
  ...OBJECT_TYPE_ROWS[type].watched,
  ...OBJECT_TYPE_ROWS[type].compared,
]);
