"""Make a static site of what docc wrote, without a server and without a script that a page needs:

    python3 Tests/System Documentation.site DOCUMENTATION SITE

DOCUMENTATION has a folder per module, whose `data` are the pages as JSON (the RenderNode of swift-docc). A page is one
article or one type with its members. All links are relative. The first broken one, and a kind of content that this
script does not know, ends the run. SITE is replaced if it has nothing but such a site.
"""
import html
import json
import re
import shutil
import sys
from pathlib import Path

from support import ROOT, expect

STYLE = Path(__file__).with_name("site.css")
SEARCH = Path(__file__).with_name("site.js")
HANDBOOK = "ingest"
# Lists what of a folder is the site.
MARKER = ".ingest-site"
ASIDES = {"Note", "Throws", "Complexity", "Important", "Warning", "Returns", "Precondition", "Requires", "See Also"}
# The roles of articles, and the kinds of symbols, that have a page of their own; others are on the page of their type.
PAGES = {"article", "collection", "collectionGroup"}
TYPES = {"class", "enum", "extension", "module", "protocol", "struct"}
SECTIONS = {"content", "declarations", "parameters"}
# Links back to the pages that mention one. Links that docc generates, and what each type has of the standard library, are
# left out as well.
LEFT_OUT = {"mentions"}
KNOWN = {
    "abstract", "hierarchy", "identifier", "kind", "metadata", "primaryContentSections", "references",
    "relationshipsSections", "schemaVersion", "sections", "topicSections", "topicSectionsStyle", "variants",
    "defaultImplementationsSections", "seeAlsoSections"}


def escaped(text):
    return html.escape(text, quote=True)


class Page:
    """A page of docc: an article, a module, a type or a member."""

    def __init__(self, path):
        self.data = json.loads(path.read_text(encoding="utf-8"))
        metadata = self.data["metadata"]
        self.title = metadata["title"]
        expect(self.data.keys() <= KNOWN, f"{path}: only known keys, found {sorted(self.data.keys() - KNOWN)}")
        kinds = {part["kind"] for part in self.data.get("primaryContentSections", [])} - LEFT_OUT
        expect(kinds <= SECTIONS, f"{path}: only known sections, found {sorted(kinds - SECTIONS)}")
        # An extension of another module, whose name docc repeats.
        if metadata.get("symbolKind") == "module" and metadata.get("role") != "collection":
            self.title = f"Extensions of {self.title}"
        self.is_own = metadata.get("role") in PAGES or metadata.get("symbolKind") in TYPES

    def sections(self, kind):
        return [part for part in self.data.get("primaryContentSections", []) if part["kind"] == kind]


class Site:
    """All pages by their paths at docc, and what they become."""

    def __init__(self, documentation):
        self.pages = {}
        self.images = {}
        for path in sorted(documentation.glob("*/data/documentation/**/*.json")):
            key = str(path.relative_to(documentation)).split("/data/documentation/")[1][:-5].lower()
            # Such as Equatable's, which are the same for each type.
            if "-implementations" not in key:
                self.pages[key] = Page(path)
        self.pages[HANDBOOK].title = "Handbook"
        for path in documentation.glob("*/images/**/*.*"):
            expect(path.name not in self.images, f"{path}: the only image of its name")
            self.images[path.name] = path

    def place(self, url):
        """The file and the anchor of a page of docc."""
        url, _, anchor = url.partition("#")
        key = url.removeprefix("/documentation/").strip("/").lower()
        if key not in self.pages:
            sys.exit(f"no page for {url}")
        owner = key
        while not self.pages[owner].is_own:
            owner = owner.rpartition("/")[0]
        module, _, rest = owner.partition("/")
        # A member's own name has no parts, but may be an operator.
        anchor = anchor or key[len(owner):].strip("/")
        return f"{module}/{rest.replace('/', '-') or 'index'}.html", anchor

    def link(self, url):
        """A link from any page, all of which are in a folder of their module."""
        file, anchor = self.place(url)
        return f"../{file}" + (f"#{anchor}" if anchor else "")


class Writer:
    """The HTML of one page's content; unknown content ends the run."""

    def __init__(self, site, page):
        self.site = site
        self.references = page.data.get("references", {})

    def inline(self, nodes):
        return "".join(getattr(self, "inline_" + node["type"])(node) for node in nodes or [])

    def blocks(self, nodes):
        return "".join(getattr(self, "block_" + node["type"])(node) for node in nodes or [])

    def inline_text(self, node):
        # docc has made a dash of the beginning of an option.
        return escaped(re.sub(r"(?<![\w])–(?=[a-z])", "--", node["text"]))

    def inline_codeVoice(self, node):
        short = ' class="short"' if len(node["code"]) <= 25 else ""
        return f"<code{short}>{escaped(node['code'])}</code>"

    def inline_emphasis(self, node):
        return f"<em>{self.inline(node['inlineContent'])}</em>"

    def inline_strong(self, node):
        return f"<strong>{self.inline(node['inlineContent'])}</strong>"

    def inline_link(self, node):
        text = self.inline(node.get("titleInlineContent")) or escaped(node["title"])
        return f'<a href="{escaped(node["destination"])}">{text}</a>'

    def inline_image(self, node):
        image = self.references[node["identifier"]]
        name = image["variants"][0]["url"].rsplit("/", 1)[1]
        return f'<img src="../images/{name}" alt="{escaped(image.get("alt") or "")}">'

    def inline_reference(self, node):
        target = self.references[node["identifier"]]
        text = self.inline(node.get("overridingTitleInlineContent")) or (
            self.inline(target.get("titleInlineContent")) or escaped(target.get("title", "")))
        if target.get("kind") == "symbol":
            text = f"<code>{text}</code>"
        if not node.get("isActive", True) or target["type"] == "unresolvable":
            return text
        url = target["url"]
        return f'<a href="{escaped(url if target["type"] == "link" else self.site.link(url))}">{text}</a>'

    def block_paragraph(self, node):
        return f"<p>{self.inline(node['inlineContent'])}</p>\n"

    def block_heading(self, node):
        level = node["level"]
        return f'<h{level} id="{escaped(node["anchor"])}">{escaped(node["text"])}</h{level}>\n'

    def block_codeListing(self, node):
        return f'<pre tabindex="0"><code>{escaped(chr(10).join(node["code"]))}</code></pre>\n'

    def block_aside(self, node):
        # Of other quotes, docc makes titles.
        expect(node["name"] in ASIDES, f"only known asides, found {node['name']}")
        return f'<div class="aside"><p><strong>{escaped(node["name"])}</strong></p>{self.blocks(node["content"])}</div>\n'

    def items(self, node):
        return "".join(f"<li>{self.blocks(item['content'])}</li>\n" for item in node["items"])

    def block_unorderedList(self, node):
        return f"<ul>\n{self.items(node)}</ul>\n"

    def block_orderedList(self, node):
        return f'<ol start="{node.get("start", 1)}">\n{self.items(node)}</ol>\n'

    def block_table(self, node):
        expect(node["header"] == "row", "tables begin with a row of headings")
        sides = node.get("alignments") or ["unset"] * len(node["rows"][0])
        lines = []
        for index, row in enumerate(node["rows"]):
            tag = "td" if index else "th"
            cells = "".join(
                f'<{tag} class="{side}">{self.blocks(cell).strip()}</{tag}>' for side, cell in zip(sides, row))
            if cells.count("<p>") == len(row):
                cells = re.sub("</?p>", "", cells)
            lines.append(f"<tr>{cells}</tr>\n")
        return f'<div class="scroll" tabindex="0"><table>\n{"".join(lines)}</table></div>\n'


class SiteWriter:
    """Writes the pages of a site, and checks the links between them."""

    def __init__(self, site, folder):
        self.site = site
        self.folder = folder
        self.texts = []

    def member(self, key, level):
        """The declaration, abstract and content of a symbol, for a place on its type's page."""
        page = self.site.pages[key]
        writer = Writer(self.site, page)
        text = ""
        for section in page.sections("declarations"):
            for declaration in section["declarations"]:
                code = "".join(token["text"] for token in declaration["tokens"])
                text += f'<pre class="declaration" tabindex="0"><code>{escaped(code)}</code></pre>\n'
        abstract = writer.inline(page.data.get("abstract"))
        text += f'<p class="abstract">{abstract}</p>\n' if abstract else ""
        for section in page.sections("parameters"):
            rows = "".join(
                f"<dt><code>{escaped(parameter['name'])}</code></dt><dd>{writer.blocks(parameter['content'])}</dd>\n"
                for parameter in section["parameters"])
            text += f"<dl>{rows}</dl>\n"
        for section in page.sections("content"):
            text += self.lowered(writer.blocks(section["content"]), level)
        return text

    @staticmethod
    def lowered(text, level):
        """Headings of a member are below its own, and are not the places of links."""
        if level == 0:
            return text
        return re.sub(r'<h\d id="[^"]*">(.*?)</h\d>', r"<p><strong>\1</strong></p>", text)

    def topics(self, page):
        """The lists of further pages, and the members of a type in full."""
        writer = Writer(self.site, page)
        text = ""
        for section in page.data.get("topicSections", []):
            title = section.get("title", "Topics")
            if title == "Default Implementations":
                continue
            anchor = escaped(section.get("anchor") or title.replace(" ", "-"))
            text += f'<h2 id="{anchor}">{escaped(title)}</h2>\n'
            pages = []
            for identifier in section["identifiers"]:
                reference = page.data["references"][identifier]
                key = reference["url"].removeprefix("/documentation/").lower()
                target = self.site.pages[key]
                if target.is_own:
                    link = writer.inline_reference({"identifier": identifier})
                    pages.append(f"<dt>{link}</dt><dd>{writer.inline(reference.get('abstract'))}</dd>\n")
                else:
                    _, anchor = self.site.place(key)
                    text += f'<h3 id="{escaped(anchor)}"><code>{escaped(target.title)}</code></h3>\n' + self.member(key, 1)
            text += f"<dl>\n{''.join(pages)}</dl>\n" if pages else ""
        return text

    def navigation(self, module, current):
        """The pages of a module, by its topics."""
        root = self.site.pages[module]
        text = ""
        for section in root.data.get("topicSections", []):
            text += f"<p>{escaped(section.get('title', 'Topics'))}</p>\n<ul>\n"
            for identifier in section["identifiers"]:
                reference = root.data["references"][identifier]
                file, _ = self.site.place(reference["url"])
                here = ' aria-current="page"' if file == current else ""
                text += f'<li><a href="../{file}"{here}>{escaped(self.site.pages[reference["url"].removeprefix("/documentation/").lower()].title)}</a></li>\n'
            text += "</ul>\n"
        return text

    @staticmethod
    def contents(body):
        """Links to the headings of a long page."""
        headings = re.findall(r'<h([23]) id="([^"]*)">(.*?)</h', body)
        if len(headings) < 9:
            return ""
        links = "".join(f'<li class="h{level}"><a href="#{anchor}">{text}</a></li>\n' for level, anchor, text in headings)
        return f'<details class="contents"><summary>On this page</summary>\n<ul>\n{links}</ul></details>\n'

    def write(self, key):
        page = self.site.pages[key]
        file, _ = self.site.place(key)
        module = key.partition("/")[0]
        root = self.site.pages[module]
        relations = "".join(
            f"<p>{escaped(section['title'])}: "
            + ", ".join(Writer(self.site, page).inline_reference({"identifier": name}) for name in section["identifiers"])
            + "</p>\n"
            for section in page.data.get("relationshipsSections", []))
        owner = key.rpartition("/")[0]
        within = ""
        if owner.count("/") > 0:
            within = f'<p>In <a href="{self.site.link(owner)}">{escaped(self.site.pages[owner].title)}</a></p>\n'
        body = f"<h1>{escaped(page.title)}</h1>\n{within}{self.member(key, 0)}{relations}{self.topics(page)}"
        body = body.replace("</h1>\n", "</h1>\n" + self.contents(body), 1)
        self.put(file, page.title if page is root else f"{page.title} · {root.title}", f"""\
<main>
{body}</main>
<nav id="pages"><p><a href="index.html">{escaped(root.title)}</a></p>
{self.navigation(module, file)}</nav>
""")
        words = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))
        self.texts.append([page.title, root.title, file, words])

    def put(self, file, title, body, up="../"):
        path = self.folder / file
        expect(not path.exists(), f"{path}: the only page of its name")
        path.parent.mkdir(exist_ok=True)
        pages = ' <a class="narrow" href="#pages">Pages</a>' if up else ""
        path.write_text(f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escaped(title)}</title>
<link rel="stylesheet" href="{up}site.css">
</head>
<body>
<header><a href="{up}index.html">ingest</a>{pages}
<form role="search"><input type="search" placeholder="Search" aria-label="Search"><ul></ul></form></header>
{body}<script src="{up}site.js" data-up="{up}" defer></script>
</body>
</html>
""", encoding="utf-8")

    def write_start(self):
        """The start of the site: the handbook, the libraries, and what is not public."""
        groups = {"Handbook": "", "Libraries": "", "Internals": ""}
        for key, page in self.site.pages.items():
            if "/" in key:
                continue
            is_library = (ROOT / "Tests/System/Interface" / f"{page.title}.txt").exists()
            group = "Handbook" if key == HANDBOOK else "Libraries" if is_library else "Internals"
            abstract = Writer(self.site, page).inline(page.data.get("abstract")).replace('"../', '"')
            groups[group] += f'<dt><a href="{self.site.place(key)[0]}">{escaped(page.title)}</a></dt><dd>{abstract}</dd>\n'
        text = "".join(f"<h2>{group}</h2>\n<dl>\n{rows}</dl>\n" for group, rows in groups.items())
        self.put("index.html", "ingest", f'<main>\n<h1>ingest</h1>\n{text}</main>\n', up="")

    def write_all(self):
        names = sorted({STYLE.name, SEARCH.name, "images", "index.html", "schemas", "texts.js"}
                       | {key.partition("/")[0] for key in self.site.pages})
        if self.folder.exists():
            marker = self.folder / MARKER
            own = set(marker.read_text().split()) if marker.exists() else set()
            foreign = sorted({path.name for path in self.folder.iterdir()} - own - {MARKER})
            if foreign:
                sys.exit(f"{self.folder}: {foreign[0]} is not of this site, which would be replaced; name another folder")
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True)
        (self.folder / MARKER).write_text("\n".join(names))
        for path in (STYLE, SEARCH):
            shutil.copy(path, self.folder)
        (self.folder / "images").mkdir()
        (self.folder / "schemas").mkdir()
        for path in ROOT.glob("Sources/*/*.docc/Resources/*.schema.json"):
            shutil.copy(path, self.folder / "schemas")
        for name, path in self.site.images.items():
            shutil.copy(path, self.folder / "images" / name)
        for key, page in self.site.pages.items():
            if page.is_own:
                self.write(key)
        self.write_start()
        words = json.dumps(self.texts, ensure_ascii=False, separators=(",", ":"))
        (self.folder / "texts.js").write_text(f"const texts = {words};\n", encoding="utf-8")

    def check_links(self):
        """Every relative link has its file, and its anchor there. Returns how many there are."""
        anchors = {
            path.resolve(): set(map(html.unescape, re.findall(r'\bid="([^"]*)"', path.read_text(encoding="utf-8"))))
            for path in self.folder.rglob("*.html")}
        count = 0
        for path in anchors:
            for link in re.findall(r'\b(?:href|src)="([^"]*)"', path.read_text(encoding="utf-8")):
                link = html.unescape(link)
                if re.match(r"[a-z]+:", link):
                    continue
                count += 1
                file, _, anchor = link.partition("#")
                target = (path.parent / (file or path.name)).resolve()
                expect(target.is_file(), f"{path}: {link} does not exist")
                expect(not anchor or anchor in anchors[target], f"{path}: {link} has no such place")
        return count


def main(documentation, folder):
    site = Site(Path(documentation))
    writer = SiteWriter(site, ROOT / folder)
    writer.write_all()
    links = writer.check_links()
    print(f"site: {len(writer.texts)} pages, {links} links, 0 broken: {folder}/index.html")
