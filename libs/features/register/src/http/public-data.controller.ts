import { Controller, Get, Header } from '@nestjs/common';
import { AnswersFile, AnswersText, ApiTags, NotRateLimited, Public, Raw, Summary } from '#http';
import { emojiGroups, emojiNamesByCode } from '#markdown';
import { list, map, object, text } from '#wire';

const EMOJI_DATA = JSON.stringify({ code_to_names: emojiNamesByCode, groups: emojiGroups });

/** Icon: two speech marks with lines between them. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#24524a"/>' +
  '<g fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"><path d="M18 22h28M18 32h28M18 42h16"/></g></svg>';

/** The picture of the built-in extra emoji as PNG, 64 × 64 pixels. */
const EXTRA_EMOJI_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAFVBMVEUAAAAkUkokUkokUkokUkqSqKT///8LUTk9AAAAB3RSTlMAQIC/////rnUoeAAAAKRJREFUeNrtlrsN' +
    'gDAMRBPEABQMgAQTIAbgYzYIK7D/CHwCBQHfCcqIa/Nkn134YswqW8qD6swcSkRR4d9towGDr5GLqm4vIEAZLuBLNAgYwAjnICkGWmxhM1FhoMceN5dCFBkwThe5GzAHCoEx' +
    'BNxbgLbgJv9NRrlJpwD3AdVFuW8AbcFNRn5A6CGlp5gecxoHNFBoJPFQo7FIg5VHMw13/D1YAK6vJffvdw+bAAAAAElFTkSuQmCC',
  'base64',
);

/** What clients show of a video whose picture is not known, as PNG, 320 × 180 pixels: a sign to play it. */
const VIDEO_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAUAAAAC0AgMAAACYih2CAAAACVBMVEUiIiIkUkr////m7Eu7AAABFklEQVR42u2YzQ2EIBQG9UAJ9GMJHqQ0SuAAVW6isuphb2NCNjMFTPDJz3vf' +
    'NImIiIiIiIiIyE9CSivsQ41z2lkwYTyEG7xAbomxCzd4gdQSwyVc2S+mvjndgEvIFDHchStbQqaIKbFFnJ/ChS0hUURcGJ/CjRFmULhrKvibd0vjhMeuaQXbN6ewYcJwCgu1b7qw' +
    '4cIMCWMXVmgjfoV9iZyw0sLGCNMlLMhRuQkbLiy0sOHCTAvr8MI8+k8po29s5ujhl8OL1xd9wVJPAP5IvfaMYg893orgzRLezvENJ94S4037+HMKPprhwyM/3uIDOB4R4CEGH7Pg' +
    'QRAeVeFhGh/34YEkH5nioS4fO4uIiIiIiIiI/BsfVhODgOpwxH8AAAAASUVORK5CYII=',
  'base64',
);

/** Files that clients load without credentials (endpoints.md §2). */
@ApiTags('server')
@Public()
@Raw()
@NotRateLimited()
@Controller('static')
export class PublicDataController {
  /** Names of emoji by code: the register response's `server_emoji_data_url` points here. */
  @Get('emoji.json')
  @AnswersText(object({ code_to_names: map(list(text)), groups: list(object({ name: text, codes: list(text) })) }))
  @Summary('Show the names of emoji', 'By code; and the codes in the order of Unicode, by its groups.')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=86400')
  emoji(): string {
    return EMOJI_DATA;
  }

  @Get('icon.svg')
  @AnswersFile('image/svg+xml')
  @Summary("Show the server's icon", 'Of organizations without their own.')
  @Header('content-type', 'image/svg+xml')
  @Header('cache-control', 'public, max-age=86400')
  icon(): string {
    return ICON;
  }

  @Get('generated/emoji/images/emoji/unicode/zulip.png')
  @AnswersFile('image/png')
  @Summary("Show the server's own emoji", 'As a picture.')
  @Header('content-type', 'image/png')
  @Header('cache-control', 'public, max-age=86400')
  extraEmoji(): Buffer {
    return EXTRA_EMOJI_PNG;
  }

  @Get('video.png')
  @AnswersFile('image/png')
  @Summary('Show the picture of a video', 'Of videos whose own picture is not known.')
  @Header('content-type', 'image/png')
  @Header('cache-control', 'public, max-age=86400')
  video(): Buffer {
    return VIDEO_PNG;
  }
}
