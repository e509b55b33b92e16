/** Request limits, each with its reason. */

/** Body of a request with parameters. Fits a list of 100,000 message IDs, and the longest message three times. */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/** Files of all requests in progress that are read into memory: a dozen of the largest pictures. */
export const SMALL_FILES_LIMIT_BYTES = 64 * 1024 * 1024;

/** The largest endpoint (settings) has about a hundred parameters. */
export const PARAMETERS_MAX = 1000;

/** Maximum ignored names in a reply, and length of each. */
export const IGNORED_NAMES_MAX = 100;
export const IGNORED_NAME_LENGTH_MAX = 100;

/** Deepest legitimate parameter: narrow terms and group settings nest four levels. */
export const JSON_DEPTH_MAX = 32;

/** Text of one JSON parameter, in UTF-16 code units. */
export const JSON_LENGTH_MAX = 1024 * 1024;

/** Some clients send every parameter of PATCH and DELETE in the query: 10,000 four-byte characters take 120 kB when percent-encoded. */
export const HEADERS_LIMIT_BYTES = 160 * 1024;

/** A path segment may be an e-mail address or a percent-encoded file name. */
export const PATH_SEGMENT_LENGTH_MAX = 1024;

/**
 * Time for a client to send its headers, and the whole request. Held long polls are not affected, since their requests
 * have been received.
 */
export const HEADERS_TIMEOUT_MS = 20_000;
export const REQUEST_TIMEOUT_MS = 120_000;

/** Longer than the pause between polls of any known client, so that its connection is reused. */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Twice the 10,000 long polls that a process is built to hold. */
export const CONNECTIONS_MAX = 20_000;

/** Maximum length of a refused value in the answer. */
export const ECHO_LENGTH_MAX = 200;
