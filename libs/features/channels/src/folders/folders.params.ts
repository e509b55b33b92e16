import { boolean, json, Param, text } from '#http';
import { ArrayMaxSize, IsArray, IsInt } from '#validation';
import { FOLDERS_MAX } from './folders.decider.js';

export class ListFoldersParams {
  @Param(boolean(), { default: false })
  include_archived!: boolean;
}

export class CreateFolderParams {
  @Param(text())
  name!: string;

  @Param(text(), { description: 'Markdown; may be empty.' })
  description!: string;
}

export class ChangeFolderParams {
  @Param(text(), { optional: true })
  name?: string;

  @Param(text(), { optional: true })
  description?: string;

  @Param(boolean(), { optional: true })
  is_archived?: boolean;
}

export class ReorderFoldersParams {
  @Param(json(), { description: 'All IDs, archived folders included, in the new order.' })
  @IsArray()
  @ArrayMaxSize(FOLDERS_MAX)
  @IsInt({ each: true })
  order!: number[];
}
