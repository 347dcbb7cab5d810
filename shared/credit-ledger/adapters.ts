export {
  type BooksSettings,
  createBooksToRead,
  createDynamoBooks,
} from './books.dynamo.ts';
export { createDynamoLedgerStore } from './store.dynamo.ts';
