import { boolean, Param, text } from '#http';
import { MaxCharacters } from '#validation';

export class ChangeDomainParams {
  @Param(boolean(), { description: 'Whether the domains below it belong to the organization, too.' })
  allow_subdomains!: boolean;
}

export class AddDomainParams extends ChangeDomainParams {
  @Param(text(), { description: 'Such as `example.com`.' })
  @MaxCharacters(1000)
  domain!: string;
}
