import type { FieldGroup } from "./field-words.js";

/** The settings of an order export (interface document, section 2.6), for people. */
export const orderFields: readonly FieldGroup[] = [
  {
    title: { en: "Which order", de: "Welche Bestellung" },
    fields: {
      manufacturerIds: {
        en: {
          title: "Manufacturers",
          help: "Tick some to export only their articles. None ticked means all.",
        },
        de: {
          title: "Hersteller",
          help: "Nur die Artikel der angekreuzten Hersteller. Keiner angekreuzt heißt alle.",
        },
      },
      documentType: {
        en: { title: "Document", values: { ORDERS: "Order", QUOTES: "Quotation" } },
        de: { title: "Beleg", values: { ORDERS: "Bestellung", QUOTES: "Angebot" } },
      },
      oexVersion: {
        en: { title: "Version of the format", help: "The version that the recipient can read." },
        de: { title: "Version des Formats", help: "Die Version, die der Empfänger lesen kann." },
      },
      splitDocumentByManufacturers: {
        en: {
          title: "One manufacturer per document",
          help: "Exports only the single manufacturer that is named under “For experts”.",
        },
        de: {
          title: "Ein Hersteller je Beleg",
          help: "Exportiert nur den einzelnen Hersteller, der unter „Für Fachleute“ genannt ist.",
        },
      },
      orderType: {
        en: {
          title: "Type of the order",
          help: "SO, XO, MU, CP, SP, EO or SR, as agreed with the recipient.",
        },
        de: {
          title: "Art der Bestellung",
          help: "SO, XO, MU, CP, SP, EO oder SR, wie mit dem Empfänger vereinbart.",
        },
      },
    },
  },
  {
    title: { en: "Files", de: "Dateien" },
    fields: {
      attachOEX: {
        en: { title: "Document (OEX)", help: "The XML file that the ERP system reads." },
        de: { title: "Beleg (OEX)", help: "Die XML-Datei, die das ERP-System liest." },
      },
      attachOBX: {
        en: {
          title: "Configurations (OBX)",
          help: "The articles with their configurations and list prices.",
        },
        de: { title: "Konfigurationen (OBX)", help: "Die Artikel mit Konfiguration und Listenpreisen." },
      },
      attachPDF: {
        en: { title: "Order as PDF", help: "For people to read and print." },
        de: { title: "Bestellung als PDF", help: "Für Menschen zum Lesen und Drucken." },
      },
      embedInPDF: {
        en: {
          title: "Files within the PDF",
          help: "Embedded in the PDF as attachments. Tick “Order as PDF” as well.",
          values: {
            OEX: "Document (OEX)",
            OBX: "Configurations (OBX)",
            "ORDER-X": "Order-X",
            UBL: "Peppol order (UBL)",
          },
        },
        de: {
          title: "Dateien im PDF",
          help: "Als Anlagen ins PDF eingebettet. Dazu „Bestellung als PDF“ ankreuzen.",
          values: {
            OEX: "Beleg (OEX)",
            OBX: "Konfigurationen (OBX)",
            "ORDER-X": "Order-X",
            UBL: "Peppol-Bestellung (UBL)",
          },
        },
      },
      reporterTemplateKey: {
        en: { title: "Template of the PDF", help: "Without one, the standard template for orders." },
        de: { title: "Vorlage des PDF", help: "Ohne Angabe die Standardvorlage für Bestellungen." },
      },
      exportImages: {
        en: { title: "Pictures in the document", help: "Makes the document much larger." },
        de: { title: "Bilder im Beleg", help: "Macht den Beleg viel größer." },
      },
    },
  },
  {
    title: { en: "What is exported", de: "Was exportiert wird" },
    fields: {
      exportAlternativeArticles: {
        en: { title: "Alternative and optional articles", help: "In quotations; orders never have them." },
        de: {
          title: "Alternative und optionale Artikel",
          help: "In Angeboten; Bestellungen haben sie nie.",
        },
      },
      exportFolders: {
        en: { title: "Folders" },
        de: { title: "Ordner" },
      },
      exportSetArticle: {
        en: { title: "Sets", help: "Without them, their parts stay, with total quantities." },
        de: { title: "Sets", help: "Ohne sie bleiben ihre Teile, mit Gesamtmengen." },
      },
      exportTextArticles: {
        en: { title: "Texts between the articles" },
        de: { title: "Texte zwischen den Artikeln" },
      },
      structuralInformation: {
        en: { title: "Structure of the project", help: "Without it, the document is a flat list." },
        de: { title: "Struktur des Projekts", help: "Ohne sie ist der Beleg eine flache Liste." },
      },
      exportRoomInformation: {
        en: { title: "Rooms", help: "The name of the folder that is a location, at each article." },
        de: { title: "Räume", help: "Der Name des Ordners, der ein Ort ist, bei jedem Artikel." },
      },
      exportInvisibleFeatures: {
        en: { title: "Invisible features" },
        de: { title: "Unsichtbare Merkmale" },
      },
      refNumber: {
        en: { title: "Own article numbers", help: "The external reference number of each item." },
        de: { title: "Eigene Artikelnummern", help: "Die externe Referenznummer jeder Position." },
      },
    },
  },
  {
    title: { en: "Prices", de: "Preise" },
    fields: {
      calculationPurchase: {
        en: { title: "Purchase prices", help: "In orders; quotations never have them." },
        de: { title: "Einkaufspreise", help: "In Bestellungen; Angebote haben sie nie." },
      },
      calculationSales: {
        en: { title: "Sales prices", help: "Switch it off to hide them from the manufacturer." },
        de: { title: "Verkaufspreise", help: "Ausschalten, damit der Hersteller sie nicht sieht." },
      },
      hideDiscounts: {
        en: { title: "Hide all discounts" },
        de: { title: "Alle Rabatte verbergen" },
      },
      hidePurchaseDiscounts: {
        en: { title: "Hide purchase discounts" },
        de: { title: "Einkaufsrabatte verbergen" },
      },
      hideSalesDiscounts: {
        en: { title: "Hide sales discounts" },
        de: { title: "Verkaufsrabatte verbergen" },
      },
      hideHeaderDiscounts: {
        en: { title: "Hide discounts of the whole project" },
        de: { title: "Rabatte des ganzen Projekts verbergen" },
      },
    },
  },
  {
    title: { en: "Order-X and Peppol", de: "Order-X und Peppol" },
    fields: {
      orderX: {
        en: {
          title: "Order-X",
          help: "The order for programs of general trade, in this profile.",
          values: { COMFORT: "Comfort", EXTENDED: "Extended" },
        },
        de: {
          title: "Order-X",
          help: "Die Bestellung für Programme des allgemeinen Handels, in diesem Profil.",
          values: { COMFORT: "Comfort", EXTENDED: "Extended" },
        },
      },
      attachUBL: {
        en: { title: "Peppol order (UBL)", help: "The order for the Peppol network." },
        de: { title: "Peppol-Bestellung (UBL)", help: "Die Bestellung für das Peppol-Netz." },
      },
      buyer: {
        en: {
          title: "Buyer",
          help: "The address that is the buyer's; without one, the customer.",
          values: { SoldTo: "Customer", Branch: "Sender" },
        },
        de: {
          title: "Käufer",
          help: "Die Adresse, die die des Käufers ist; ohne Angabe der Kunde.",
          values: { SoldTo: "Kunde", Branch: "Absender" },
        },
      },
      buyerEndpoint: {
        en: {
          title: "Electronic address of the buyer",
          help: "In Peppol orders, such as 0088:4012345000009. Without one, the GLN, else the VAT number.",
        },
        de: {
          title: "Elektronische Adresse des Käufers",
          help: "In Peppol-Bestellungen, wie 0088:4012345000009. Ohne Angabe die GLN, sonst die USt-IdNr.",
        },
      },
      sellerEndpoint: {
        en: { title: "Electronic address of the supplier", help: "In Peppol orders, likewise." },
        de: { title: "Elektronische Adresse des Lieferanten", help: "In Peppol-Bestellungen, ebenso." },
      },
      orderXProfile: {
        en: {
          title: "Order-X within the PDF",
          help: "Profile of an order that is no file of its own; without one, Comfort.",
          values: { COMFORT: "Comfort", EXTENDED: "Extended" },
        },
        de: {
          title: "Order-X im PDF",
          help: "Profil einer Bestellung, die keine eigene Datei ist; ohne Angabe Comfort.",
          values: { COMFORT: "Comfort", EXTENDED: "Extended" },
        },
      },
      orderXRelationship: {
        en: {
          title: "Relation of Order-X to its PDF",
          help: "Without one, alternative with the standard template, else data.",
          values: { Alternative: "Alternative", Data: "Data", Source: "Source" },
        },
        de: {
          title: "Beziehung von Order-X zu seinem PDF",
          help: "Ohne Angabe Alternative bei der Standardvorlage, sonst Daten.",
          values: { Alternative: "Alternative", Data: "Daten", Source: "Quelle" },
        },
      },
    },
  },
  {
    title: { en: "Numbers and dates", de: "Nummern und Termine" },
    fields: {
      docNumber: {
        en: { title: "Number of the document", help: "Without one, that of the project." },
        de: { title: "Belegnummer", help: "Ohne Angabe die des Projekts." },
      },
      clientNo: {
        en: {
          title: "Your customer number",
          help: "At the manufacturer. Without one, that of the customer's address.",
        },
        de: {
          title: "Ihre Kundennummer",
          help: "Beim Hersteller. Ohne Angabe die der Kundenadresse.",
        },
      },
      vendorNo: {
        en: { title: "Number of the supplier", help: "Without one, that of the supplier's address." },
        de: { title: "Lieferantennummer", help: "Ohne Angabe die der Lieferantenadresse." },
      },
      clientILN: {
        en: { title: "Your location number (GLN)" },
        de: { title: "Ihre Lokationsnummer (GLN)" },
      },
      vendorILN: {
        en: { title: "Location number of the supplier (GLN)" },
        de: { title: "Lokationsnummer des Lieferanten (GLN)" },
      },
      delivery: {
        en: { title: "Delivery", help: "A day such as 2027-01-18, a week such as 2027-W03, or a text." },
        de: { title: "Lieferung", help: "Ein Tag wie 2027-01-18, eine Woche wie 2027-W03 oder ein Text." },
      },
      commission: {
        en: { title: "Commission" },
        de: { title: "Kommission" },
      },
      conditionNo: {
        en: { title: "Framework agreement" },
        de: { title: "Rahmenvertrag" },
      },
      projectNumber: {
        en: { title: "Project number" },
        de: { title: "Projektnummer" },
      },
      salesOrganisation: {
        en: { title: "Sales organisation" },
        de: { title: "Verkaufsorganisation" },
      },
      salesGroup: {
        en: { title: "Sales group" },
        de: { title: "Verkäufergruppe" },
      },
      dealerAsSGR: {
        en: { title: "Customer number as sales group" },
        de: { title: "Kundennummer als Verkäufergruppe" },
      },
      useShipToCode: {
        en: { title: "Use the delivery code" },
        de: { title: "Lieferortnummer verwenden" },
      },
      shipToCode: {
        en: { title: "Delivery code", help: "Number of the delivery address, where it is to be used." },
        de: { title: "Lieferortnummer", help: "Nummer der Lieferadresse, wenn sie verwendet wird." },
      },
      identicateUser: {
        en: { title: "Name the person in charge" },
        de: { title: "Sachbearbeiter nennen" },
      },
      projectUserName: {
        en: { title: "Person in charge", help: "A contact of the customer, where it is to be named." },
        de: { title: "Sachbearbeiter", help: "Ein Kontakt des Kunden, wenn er genannt wird." },
      },
    },
  },
  {
    title: { en: "Texts", de: "Texte" },
    fields: {
      orderInfo: {
        en: { title: "Header text" },
        de: { title: "Kopftext" },
      },
      useSCOrderInfo: {
        en: { title: "Header text of the project", help: "Takes precedence over the one above." },
        de: { title: "Kopftext des Projekts", help: "Geht dem obigen vor." },
      },
      additionalAgreement: {
        en: { title: "Additional agreement" },
        de: { title: "Zusatzvereinbarung" },
      },
      dispatchNotes: {
        en: { title: "Dispatch notes" },
        de: { title: "Versandhinweise" },
      },
      featureInARTL: {
        en: { title: "Configuration in the long text" },
        de: { title: "Konfiguration im Langtext" },
      },
      ignoreITEMText: {
        en: { title: "Without texts at articles" },
        de: { title: "Ohne Texte bei Artikeln" },
      },
      versionInOrder: {
        en: { title: "Program and version in the header text" },
        de: { title: "Programm und Version im Kopftext" },
      },
      additionalTextId: {
        en: { title: "Id of additional texts" },
        de: { title: "Kennung der Zusatztexte" },
      },
      specialModelInfoTextId: {
        en: { title: "Id of texts about special models" },
        de: { title: "Kennung der Texte zu Sonderausführungen" },
      },
    },
  },
  {
    title: { en: "Names of the files", de: "Namen der Dateien" },
    fields: {
      archiveFilename: { en: { title: "Archive (ZIP)" }, de: { title: "Archiv (ZIP)" } },
      oexFilename: { en: { title: "Document (OEX)" }, de: { title: "Beleg (OEX)" } },
      obxFilename: { en: { title: "Configurations (OBX)" }, de: { title: "Konfigurationen (OBX)" } },
      pdfFilename: { en: { title: "PDF" }, de: { title: "PDF" } },
      orderXFilename: { en: { title: "Order-X" }, de: { title: "Order-X" } },
      ublFilename: { en: { title: "Peppol order (UBL)" }, de: { title: "Peppol-Bestellung (UBL)" } },
      useSalesOrgAsFilePrefix: {
        en: { title: "Sales organisation in front of the names" },
        de: { title: "Verkaufsorganisation vor den Namen" },
      },
    },
  },
  {
    title: { en: "For experts", de: "Für Fachleute" },
    fields: {
      calculationScheme: {
        en: { title: "Pricing procedure" },
        de: { title: "Kalkulationsschema" },
      },
      manufacturerId: {
        en: { title: "Single manufacturer", help: "Its id; counts where no manufacturers are chosen." },
        de: {
          title: "Einzelner Hersteller",
          help: "Seine Kennung; gilt, wenn keine Hersteller gewählt sind.",
        },
      },
      addresses: {
        en: { title: "Addresses", help: "Each replaces the project's address of its type." },
        de: { title: "Adressen", help: "Jede ersetzt die Adresse des Projekts mit ihrer Art." },
      },
      pdfLogoImage: {
        en: {
          title: "Logo of the PDF",
          help: "A picture as base64, or the key of a picture of the project.",
        },
        de: {
          title: "Logo des PDF",
          help: "Ein Bild als Base64 oder der Schlüssel eines Bildes im Projekt.",
        },
      },
      appName: { en: { title: "Name of the program" }, de: { title: "Name des Programms" } },
      appVersion: { en: { title: "Version of the program" }, de: { title: "Version des Programms" } },
      aMajor: { en: { title: "First number" }, de: { title: "Erste Zahl" } },
      aMinor: { en: { title: "Second number" }, de: { title: "Zweite Zahl" } },
      templateOptions: {
        en: { title: "Options of the PDF's template", help: "By their keys, as the template names them." },
        de: {
          title: "Optionen der PDF-Vorlage",
          help: "Nach ihren Schlüsseln, wie die Vorlage sie nennt.",
        },
      },
      preferredImageColumn: {
        en: { title: "Column of pictures", help: "First source of the pictures of articles." },
        de: { title: "Spalte der Bilder", help: "Erste Quelle der Artikelbilder." },
      },
      imageOptions: { en: { title: "Options of pictures" }, de: { title: "Optionen der Bilder" } },
    },
  },
];
