/** Name of the cookie with the token of a browser's session. */
export const SESSION_COOKIE = 'sessionid';
