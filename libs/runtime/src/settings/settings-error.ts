/** A setting is invalid; the message says what to do. */
export class SettingsError extends Error {}
