import { moveOf } from '../../messages/src/index.js';

export const move = moveOf(1);
