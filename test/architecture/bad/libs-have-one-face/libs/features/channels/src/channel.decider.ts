export const channelDecider = {};
