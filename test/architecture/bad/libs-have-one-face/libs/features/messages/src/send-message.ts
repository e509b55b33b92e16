import { channelDecider } from '../../channels/src/channel.decider.js';

export const decider = channelDecider;
