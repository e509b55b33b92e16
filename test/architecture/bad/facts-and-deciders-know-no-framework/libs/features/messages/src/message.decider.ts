import { BadRequestException } from '@nestjs/common';

export const refusal = new BadRequestException();
