import { Injectable } from '@nestjs/common';
import { renderDescription } from '#markdown';
import { renderWorldOf } from '#messages';
import { Directory } from '#people';
import { Site } from '#realm/model';
import type { User } from '../model/user.js';

/** Renders the text of profiles: mentions in it notify nobody, and pictures stay links. */
@Injectable()
export class ProfileRendering {
  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
  ) {}

  /** Markdown to HTML, for what the actor writes. */
  by(actor: User): (markdown: string) => string {
    return (markdown) => renderDescription(markdown, renderWorldOf(this.directory, this.site.url, actor));
  }
}
