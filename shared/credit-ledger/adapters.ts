export {
  type BooksSettings,
  createAudit,
  createBooksToRead,
  createCheckOfBooks,
  createDynamoBooks,
  createLedgerFault,
  createSetBack,
} from './books.dynamo.ts';
