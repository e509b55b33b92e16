import { Min } from 'class-validator';

export class SendParams {
  @Min(1)
  to!: number;
}
