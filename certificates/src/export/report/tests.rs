//! What the page is given, and that nothing in it becomes markup.

use super::*;
use crate::export::dot::tests::example;

fn page(system: &System, certificate: &Certificate) -> String {
    let mut text = String::new();
    Html.write(system, certificate, &mut |name, bytes| {
        assert_eq!(name, REPORT_FILE);
        text = String::from_utf8(bytes.to_vec()).unwrap();
        Ok(())
    })
    .unwrap();
    text
}

/// The data block of a page.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

#[test]
fn a_page_has_its_data_and_is_always_the_same() {
    let (system, certificate) = example();
    let text = page(&system, &certificate);
    let data = data(&text);
    assert_eq!(data["format"], data::FORMAT);
    assert_eq!(data["diagrams"][0]["nodes"][0]["words"][0], "P[1] at idle");
    assert_eq!(data["record"]["proved"], "none");
    assert_eq!(text, page(&system, &certificate));
}
