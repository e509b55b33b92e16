export const fixedClock = { nowMs: () => 0 };
