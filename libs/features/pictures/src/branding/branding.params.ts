import { boolean, Param } from '#http';

export class LogoParams {
  @Param(boolean(), { default: false, description: 'The logo for dark themes.' })
  night!: boolean;
}
