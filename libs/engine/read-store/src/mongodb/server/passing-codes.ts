/**
 * Codes of errors that a retry may solve: the server is unavailable, changes its primary, is overloaded or full, or
 * denies access. By MongoDB's own categories: interruptions, not primary, network, time limits, stale shards, lost
 * cursors, and those it calls retriable.
 */
export const PASSING_CODES: ReadonlySet<number | string> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  13, // Unauthorized
  18, // AuthenticationFailed
  24, // LockTimeout
  43, // CursorNotFound: the server that had it was restarted, or it was killed
  46, // LockBusy
  50, // MaxTimeMSExpired
  63, // StaleShardVersion
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  90, // CallbackCanceled
  91, // ShutdownInProgress
  94, // NotYetInitialized
  100, // UnsatisfiableWriteConcern: too few members for now
  107, // LockFailed
  112, // WriteConflict
  117, // ConflictingOperationInProgress
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  136, // CappedPositionLost
  150, // StaleEpoch
  175, // QueryPlanKilled: what was read is being dropped or moved
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  211, // KeyNotFound: of a cluster whose members have just started
  215, // DatabaseDropPending
  225, // TransactionTooOld
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  249, // StaleDbVersion
  262, // ExceededTimeLimit
  264, // TooManyFilesOpen
  279, // ClientDisconnect
  307, // ShardInvalidatedForTargeting
  355, // InterruptedDueToStorageChange
  365, // TemporarilyUnavailable
  384, // ConnectionError
  391, // ReauthenticationRequired
  462, // IngressRequestRateLimitExceeded
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11601, // Interrupted: an operator killed it
  11602, // InterruptedDueToReplStateChange
  12586, // BackgroundOperationInProgressForDatabase
  12587, // BackgroundOperationInProgressForNamespace
  13388, // StaleConfig
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
  16500, // RequestRateTooLarge
]);

/**
 * Codes of the operating system for a lost connection or an unreachable host. When a connection breaks during a write,
 * the driver passes these on without wrapping them.
 */
export const PASSING_SYSTEM_CODES: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECANCELED',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'EPROTO',
  'ESHUTDOWN',
  'ETIMEDOUT',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
]);
