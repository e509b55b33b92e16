import { lengthMax } from '../../libs/features/messages/src/index.js';

export const fits = (text: string): boolean => text.length <= lengthMax;
