/** Everything that a request may be at most. A limit that nobody named is one that somebody will find. */

/** Body of a request that carries parameters. A list of 100,000 message IDs fits; so does the longest message thrice. */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/** The largest endpoint (settings) has about a hundred parameters. */
export const PARAMETERS_MAX = 1000;

/** How many ignored names a reply lists, and how much of each. */
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

/** Time for a client to send its headers, and the whole request. A held long-poll is not limited by either: it has been received. */
export const HEADERS_TIMEOUT_MS = 20_000;
export const REQUEST_TIMEOUT_MS = 120_000;

/** Longer than the pause between polls of any client we know, so that its connection is reused. */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Twice the 10,000 long-polls that a process is built to hold. */
export const CONNECTIONS_MAX = 20_000;

/** How much of a refused value is sent back. */
export const ECHO_LENGTH_MAX = 200;
