/** ID of the organization in addresses and client events: a server has one. */
export const REALM_ID = 1;
