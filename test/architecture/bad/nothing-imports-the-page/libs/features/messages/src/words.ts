import { send } from '../../../../web/chat/words.js';

export const subject = send;
