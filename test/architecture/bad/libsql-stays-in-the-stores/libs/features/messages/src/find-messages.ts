import Database from 'libsql';

export const database = new Database(':memory:');
