import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Files, Params, type SmallFiles, Summary, TakesSmallFiles } from '#http';
import { Directory } from '#people';
import { LIMITS } from '#realm/model';
import type { User } from '#users/model';
import { object, text } from '#wire';
import { MIB_BYTES } from '../upload-limits.js';
import { LogoParams } from './branding.params.js';
import { ChangeBrandingCommand } from './change-branding.js';
import { brandingAddress, type BrandingKind } from '../model/branding/branding.js';
import { brandingPart } from '../model/branding/branding.part.js';

/** The organization's icon and its logos, for bright and dark themes (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm')
export class BrandingController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  @Get('icon')
  @Answers(object({ icon_url: text }))
  @Summary('Show the address of the icon', 'Of the organization.')
  icon(): { icon_url: string } {
    return { icon_url: this.#address('icon') };
  }

  @Post('icon')
  @Answers(object({ icon_url: text }))
  @Summary("Set the organization's icon", 'One file. For administrators.')
  @TakesSmallFiles(LIMITS.max_icon_file_size_mib * MIB_BYTES)
  async uploadIcon(@Caller() actor: User, @Files() files: SmallFiles): Promise<{ icon_url: string }> {
    const { bytes } = files.only('You must upload exactly one icon.');
    await this.commands.execute(new ChangeBrandingCommand(actor, 'icon', bytes));
    return this.icon();
  }

  @Delete('icon')
  @Answers(object({ icon_url: text }))
  @Summary("Remove the organization's icon", 'For administrators.')
  async removeIcon(@Caller() actor: User): Promise<{ icon_url: string }> {
    await this.commands.execute(new ChangeBrandingCommand(actor, 'icon', null));
    return this.icon();
  }

  @Get('logo')
  @Answers(object({ logo_url: text }))
  @Summary('Show the address of the logo', 'Of the organization, for light or dark pages.')
  logo(@Params(LogoParams) params: LogoParams): { logo_url: string } {
    return { logo_url: this.#address(kindOf(params)) };
  }

  @Post('logo')
  @Answers(object({ logo_url: text }))
  @Summary("Set the organization's logo", 'One file. For administrators.')
  @TakesSmallFiles(LIMITS.max_logo_file_size_mib * MIB_BYTES)
  async uploadLogo(
    @Caller() actor: User,
    @Params(LogoParams) params: LogoParams,
    @Files() files: SmallFiles,
  ): Promise<{ logo_url: string }> {
    const { bytes } = files.only('You must upload exactly one logo.');
    await this.commands.execute(new ChangeBrandingCommand(actor, kindOf(params), bytes));
    return this.logo(params);
  }

  @Delete('logo')
  @Answers(object({ logo_url: text }))
  @Summary("Remove the organization's logo", 'For administrators.')
  async removeLogo(@Caller() actor: User, @Params(LogoParams) params: LogoParams): Promise<{ logo_url: string }> {
    await this.commands.execute(new ChangeBrandingCommand(actor, kindOf(params), null));
    return this.logo(params);
  }

  #address(kind: BrandingKind): string {
    return brandingAddress(this.directory.of(brandingPart), kind);
  }
}

function kindOf({ night }: LogoParams): BrandingKind {
  return night ? 'night_logo' : 'logo';
}
