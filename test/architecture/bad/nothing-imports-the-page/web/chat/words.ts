export const send = 'Send';
