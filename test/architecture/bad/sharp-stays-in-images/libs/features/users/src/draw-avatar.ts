import sharp from 'sharp';

export const avatar = sharp('avatar.svg');
