export const owner = 'owner';
