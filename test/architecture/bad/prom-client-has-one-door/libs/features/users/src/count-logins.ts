import { Counter } from 'prom-client';

export const logins = new Counter({ name: 'logins', help: 'Logins.' });
